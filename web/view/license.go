package view

func licenseWord(l License) string {
	switch l.Status {
	case LicenseSuspended:
		return "Suspended"
	case LicenseRevoked:
		return "Revoked"
	}
	return "Active"
}

func licenseTone(l License) string {
	switch l.Status {
	case LicenseSuspended:
		return ToneWarn
	case LicenseRevoked:
		return ToneIdle
	}
	return ToneGood
}
