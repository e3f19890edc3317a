package config

import "reflect"

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
	for f := range reflect.TypeFor[Config]().Fields() {
		list = append(list, Setting{
			Name:    Prefix + f.Tag.Get("env"),
			Default: f.Tag.Get("envDefault"),
			Meaning: f.Tag.Get("about"),
			Secret:  f.Type == reflect.TypeFor[Secret](),
		})
	}
	return list
}
