package config

import (
	"reflect"
	"strings"
)

// Setting is one line of the manual.
type Setting struct {
	Name    string // SHOP_…; the same name with _FILE is the path of a file that holds it
	Default string // "" if there is none
	Meaning string
	Secret  bool
}

// Settings lists all settings in the order of Config's fields.
func Settings() []Setting {
	var list []Setting
	for _, l := range leaves(reflect.TypeFor[Config](), Prefix) {
		list = append(list, Setting{
			Name:    l.name,
			Default: l.field.Tag.Get("envDefault"),
			Meaning: strings.ReplaceAll(l.field.Tag.Get("about"), "${providers}", strings.Join(KnownProviders(), ", ")),
			Secret:  l.field.Type == reflect.TypeFor[Secret]() || l.field.Type == reflect.TypeFor[WebhookSecrets](),
		})
	}
	return list
}

// leaf is a field that is a setting, with the setting's whole name.
type leaf struct {
	name  string
	field reflect.StructField
}

// leaves are the settings in a struct and in those that it holds.
func leaves(in reflect.Type, prefix string) (list []leaf) {
	for f := range in.Fields() {
		if nested := f.Tag.Get("envPrefix"); nested != "" {
			list = append(list, leaves(f.Type, prefix+nested)...)
			continue
		}
		list = append(list, leaf{prefix + f.Tag.Get("env"), f})
	}
	return list
}
