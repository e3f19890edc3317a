// Package mysqld starts and stops a private MySQL (or MariaDB) server for the
// demo, the tests and the benchmarks. Nobody has to install or configure one,
// and nothing on the machine changes.
//
//   - The server listens on a Unix socket in a folder of its owner alone, never
//     on the network; that is why its root needs no password.
//   - One folder, one server: a lock that the server itself holds refuses a
//     second one, and names the process that has it.
//   - Whatever was killed at whatever moment, the next [Start] works: a
//     half-made data folder is made anew, stale pid files and sockets are
//     swept, InnoDB recovers the rest.
//   - The server ends with its owner: [Server.Stop] shuts it down and waits;
//     should the owner be killed, the kernel tells the server (Linux). Ctrl-C in
//     a terminal reaches the owner only, who stops the server last.
//   - Writes are as durable as a production server's, unless [Config.Volatile].
package mysqld
