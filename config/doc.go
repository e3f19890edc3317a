// Package config is the one place where the environment is read. [Load] turns it
// into one struct, [Config.Check] says whether a shop may start with it; both
// report every fault at once, each by its setting's name and never with its value.
//
//   - Every setting SHOP_X may be given as SHOP_X_FILE instead: the path of a file
//     that holds it, as container platforms hand out secrets.
//   - Nothing is half on: an empty, placeholder or guessable secret stops the start,
//     because a verification that anybody can pass is worse than none.
//   - A [Secret] prints as "(secret)", so that no log line can hold one by accident,
//     and so do the [WebhookSecrets] of a provider: one, or several that count at the
//     same time, each with a name and an end if wanted.
//   - A provider is set up whole or not at all: being on offer, or having a webhook
//     secret, it needs all of its settings, and keys of the shop's mode.
//   - [Settings] lists name, default and meaning of each setting; .env.example and
//     the README's table are held against it.
package config
