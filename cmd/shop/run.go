package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"onceshop/config"
)

// commands are the program's words; each has a file of its own.
type commands struct {
	EnvFile string `help:"Read settings from FILE as well (NAME=value lines); the environment has the last word." placeholder:"FILE"`

	Demo    demoCommand    `cmd:"" help:"Run a shop with all it needs on this machine: database, practice payments, mailbox."`
	Serve   serveCommand   `cmd:"" help:"Run the shop."`
	Migrate migrateCommand `cmd:"" help:"Bring the database up to date, or look where it is."`
	Doctor  doctorCommand  `cmd:"" help:"Check everything a shop needs, and say what to do."`

	Orders   ordersCommand   `cmd:"" help:"Look at orders; cancel or refund one."`
	Events   eventsCommand   `cmd:"" help:"Look at what providers reported; process it again."`
	Jobs     jobsCommand     `cmd:"" help:"Look at what is to be delivered; try it again."`
	Payments paymentsCommand `cmd:"" help:"Look at payments."`
	Audit    auditCommand    `cmd:"" help:"Look at who did what."`

	Trigger triggerCommand `cmd:"" help:"Have the sandbox change an order's payment, and spoil what it sends."`
	Webhook webhookCommand `cmd:"" help:"Check a delivery's signature by hand."`
	License licenseCommand `cmd:"" help:"Check a license without asking anybody."`

	Sandbox     sandboxCommand     `cmd:"" help:"Run the practice payment platform alone."`
	Seed        seedCommand        `cmd:"" hidden:"" help:"Put the demo's catalogue into the database."`
	Secrets     secretsCommand     `cmd:"" help:"Print new secrets, as lines for an environment file."`
	Healthcheck healthcheckCommand `cmd:"" help:"Ask a running instance whether it is ready."`
	Version     versionCommand     `cmd:"" help:"Tell what this program was built from."`
}

const (
	exitDone   = 0
	exitFailed = 1
	exitUsage  = 2
)

// errSaid is a failure that the command has already explained on its output.
var errSaid = errors.New("failed")

// run is the program without its process: everything it reads and writes is an
// argument, so that tests run it as it is.
func run(ctx context.Context, args, environ []string, stdout, stderr io.Writer) (code int) {
	var words commands
	parser, err := newParser(&words, stdout, stderr)
	if err != nil {
		fmt.Fprintln(stderr, "shop:", err)
		return exitFailed
	}
	defer func() {
		switch p := recover().(type) {
		case nil:
		case exitNow:
			code = int(p)
		default:
			panic(p)
		}
	}()
	if len(args) > 0 && args[0] == "help" {
		args = append(slices.Clone(args[1:]), "--help")
	}
	parsed, err := parser.Parse(args)
	if err != nil {
		fmt.Fprintf(stderr, "shop: %v\n%s\n", err, helpFor(err))
		return exitUsage
	}
	s := &session{ctx: ctx, environ: environ, stdout: stdout, stderr: stderr}
	if words.EnvFile != "" {
		file, err := config.ReadEnvFile(words.EnvFile)
		if err != nil {
			fmt.Fprintln(stderr, "shop:", err)
			return exitFailed
		}
		s.environ = append(file, environ...) // the later one counts
	}
	return s.report(parsed.Run(s))
}

func newParser(words *commands, stdout, stderr io.Writer) (*kong.Kong, error) {
	return kong.New(words,
		kong.Name("shop"),
		kong.Description("Onceshop: every paid order is delivered exactly once."),
		kong.Vars{"providers": strings.Join(config.KnownProviders(), ",")},
		kong.Writers(stdout, stderr),
		kong.Exit(func(code int) { panic(exitNow(code)) }), // --help ends here
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
	)
}

// helpFor says where to read about what was not understood: of the command as far as it
// was.
func helpFor(err error) string {
	if parse, ok := errors.AsType[*kong.ParseError](err); ok {
		for _, part := range slices.Backward(parse.Context.Path) {
			if part.Command != nil {
				return part.Command.FullPath() + " --help tells more"
			}
		}
	}
	return "shop --help lists the commands"
}

// exitNow is what kong's wish to end the process becomes.
type exitNow int

// report turns a command's error into the program's last words and exit code.
func (s *session) report(err error) int {
	var faults config.Faults
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, errSaid):
	case errors.As(err, &faults):
		fmt.Fprintf(s.stderr, "shop: the configuration is not usable:\n")
		for _, f := range faults {
			fmt.Fprintf(s.stderr, "  %s\n", f)
		}
	case s.ctx.Err() != nil:
		fmt.Fprintln(s.stderr, "shop: stopped before it was done") // what was under way broke off: no fault
	default:
		fmt.Fprintln(s.stderr, "shop:", err)
	}
	return exitFailed
}
