// Package bench measures what an acknowledgement costs, on a server with MySQL's
// default, durable settings. Machines and disks differ and are noisy, so the
// figures that count are ratios, measured in turns within one run:
//
//	make bench
//
// BenchmarkAcknowledge sends signed events over HTTP from 1, 16 and 64 senders
// and reports acknowledged events per second, plain single-row INSERTs per second
// over as many connections in turns with it, and their ratio.
//
// BenchmarkWebhookToLicense delivers a paid event to an idle shop and reports the
// milliseconds until its license is committed: median and 95th percentile.
package bench
