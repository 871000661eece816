-- Contact requests by the athlete that the sender named (contact-requests/reads.ts).
create index contact_request_named on contact_request (named_id, created_at, id);
