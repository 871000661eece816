-- Orders by deadline of what is not open any more, too.
create index opportunity_deadline on opportunity (application_deadline, id) where status <> 'DRAFT';
