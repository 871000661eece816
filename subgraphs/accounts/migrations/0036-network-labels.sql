-- Sessions and failed sign-ins have the label of the network instead of an address. Earlier addresses are removed.
update administrator_session set address = 'unknown';
update portal_session set address = 'unknown';
delete from sign_in_attempt;
