-- Erased people are not admitted again without an invitation of an administrator: keyed hashes of the email address and of the identity
-- (subgraphs/accounts/sign-in/erased-blocks.ts).
create table erased_person_block (
  population text not null check (population in ('ADMINISTRATORS', 'USERS')),
  hash bytea not null,
  person_id uuid not null,                                -- the erased person
  primary key (population, hash, person_id)
);
create index erased_person_block_person on erased_person_block (person_id);
