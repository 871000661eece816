/** What the invoices of an installation print about its operator, and where its usage is reported. */

export interface BillingSettings {
  /** Legal name of the operator. */
  readonly name: string;
  /** Lines of the address, separated by line breaks. */
  readonly address: string;
  readonly vatId: string | null;
  /** ISO 4217. The total in this currency is the first one of an invoice. */
  readonly currency: string;
  /** VAT rate in hundredths of a percent: 1900 is 19 %. Null: invoices have no VAT. */
  readonly vatBasisPoints: number | null;
  /** Printed on invoices without VAT because the recipient owes it. */
  readonly reverseChargeNote: string;
  /** Start of the invoice numbers: `INV` gives `INV-2026-000001`. */
  readonly numberPrefix: string;
}

/** The Stripe account that receives usage as meter events. */
export interface StripeSettings {
  /** Address of the API, such as `https://api.stripe.com`. */
  readonly url: string;
  readonly secretKey: string;
  /** `event_name` of the meter. */
  readonly eventName: string;
}
