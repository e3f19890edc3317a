package adyen

import "onceshop/payment"

// The event codes that we act on.
const (
	authorisation         = "AUTHORISATION"
	capture               = "CAPTURE"
	captureFailed         = "CAPTURE_FAILED"
	cancellation          = "CANCELLATION"
	technicalCancel       = "TECHNICAL_CANCEL"
	cancelOrRefund        = "CANCEL_OR_REFUND"
	expire                = "EXPIRE"
	offerClosed           = "OFFER_CLOSED"
	refund                = "REFUND"
	refundWithData        = "REFUND_WITH_DATA"
	refundFailed          = "REFUND_FAILED"
	refundedReversed      = "REFUNDED_REVERSED"
	manualReviewReject    = "MANUAL_REVIEW_REJECT"
	requestForInformation = "REQUEST_FOR_INFORMATION"
	issuerComments        = "ISSUER_COMMENTS"
	defensePeriodEnded    = "DISPUTE_DEFENSE_PERIOD_ENDED"
	chargebackNotice      = "NOTIFICATION_OF_CHARGEBACK"
	disputeOpened         = "DISPUTE_OPENED_WITH_CHARGEBACK"
	chargeback            = "CHARGEBACK"
	chargebackReversed    = "CHARGEBACK_REVERSED"
	secondChargeback      = "SECOND_CHARGEBACK"
	preArbitrationWon     = "PREARBITRATION_WON"
	preArbitrationLost    = "PREARBITRATION_LOST"
)

// effectOf is what an event means. A request that didn't succeed changes nothing, but
// for a capture where the authorisation has counted as one, and a refund that the shop
// waits for. Failures and disputes are no requests: what success says there isn't
// looked at.
func (a *Adapter) effectOf(code string, success bool) (payment.Effect, payment.Status) {
	switch code {
	case captureFailed:
		return payment.EffectAdvance, payment.Failed
	case refundFailed, refundedReversed:
		return payment.EffectRefundReversed, ""
	case manualReviewReject:
		return payment.EffectFetch, ""
	case requestForInformation, issuerComments, defensePeriodEnded:
		return payment.EffectDisputeNoted, ""
	case chargebackNotice, disputeOpened, chargeback:
		return payment.EffectDisputeOpened, ""
	case chargebackReversed, preArbitrationWon:
		return payment.EffectDisputeWon, ""
	case secondChargeback, preArbitrationLost:
		return payment.EffectDisputeLost, ""
	case authorisation:
		if !success {
			return payment.EffectAttemptFailed, ""
		}
	case capture:
		if !success && a.automatic {
			return payment.EffectFetch, ""
		}
	case refund, refundWithData, cancelOrRefund:
		if !success {
			return payment.EffectFetch, ""
		}
	}
	if !success {
		return payment.EffectNone, ""
	}
	switch code {
	case authorisation:
		if a.automatic {
			return payment.EffectAdvance, payment.Paid
		}
		return payment.EffectAdvance, payment.Authorised
	case capture:
		return payment.EffectAdvance, payment.Paid
	case cancellation, technicalCancel:
		return payment.EffectAdvance, payment.Failed
	case expire, offerClosed:
		return payment.EffectAdvance, payment.Expired
	case refund, refundWithData:
		return payment.EffectRefund, ""
	case cancelOrRefund:
		// Which of the two it was is told, but not signed. What else was told decides.
		return payment.EffectFetch, ""
	}
	return payment.EffectNone, ""
}

// countsMoney tells which events a snapshot adds up.
func countsMoney(code string, success bool) bool {
	switch code {
	case captureFailed:
		return true
	case authorisation, capture, refund, refundWithData, cancelOrRefund:
		return success
	}
	return false
}
