package assets

// Art is the address of a product's cover, decided by its slug alone.
func Art(slug string) string { return "/assets/art/" + slug + ".svg" }
