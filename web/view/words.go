package view

import "strconv"

// title is the page's name before the shop's; the first page has only the
// shop's.
func title(l Layout) string {
	if l.Title == "" {
		return l.ShopName
	}
	return l.Title + " – " + l.ShopName
}

// noun picks the form that goes with n.
func noun(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// devices words how many devices a key works on.
func devices(n int) string {
	switch n {
	case 0:
		return "any number of devices"
	case 1:
		return "one device"
	}
	return "up to " + strconv.Itoa(n) + " devices"
}

// atLeastOne shows a quantity that nobody has typed yet as 1.
func atLeastOne(n int) string {
	return strconv.Itoa(max(n, 1))
}
