-- What takes applications, as everybody sees it. Fed by events of opportunities and organizations; it can be emptied and built again.
create table open_opportunity (
  id uuid primary key,
  version int not null,                           -- of the opportunity
  organization_id uuid not null,
  sport text not null,
  positions text[] not null,                      -- empty: all
  sex text,                                       -- null: all
  age_min int,
  age_max int,
  reference_date date,                            -- on which the age counts; null: today
  nationalities text[] not null,                  -- empty: all
  country text,
  level text,                                     -- of the organization
  minors_allowed boolean not null,
  application_deadline timestamptz(3) not null,   -- from then on it takes none, whoever comes to tell
  facts jsonb not null                            -- what a match is computed from
);
create index open_opportunity_sport on open_opportunity (sport, application_deadline, id);
create index open_opportunity_country on open_opportunity (sport, left(country, 2), application_deadline, id);
create index open_opportunity_level on open_opportunity (sport, level, application_deadline, id);
create index open_opportunity_positions on open_opportunity using gin (positions);
create index open_opportunity_organization on open_opportunity (organization_id);

-- What an account thinks of what it was recommended, for itself alone.
create table recommendation_feedback (
  id uuid primary key default uuidv7(),
  account_id uuid not null,
  recipient_type text not null check (recipient_type in ('ATHLETE', 'OPPORTUNITY', 'ORGANIZATION')),
  recipient_id uuid not null,                     -- for whom it was recommended
  subject_type text not null check (subject_type in ('ATHLETE', 'OPPORTUNITY')),
  subject_id uuid not null,                       -- who or what was
  feedback text not null check (feedback in ('HELPFUL', 'NOT_RELEVANT', 'HIDDEN')),
  given_at timestamptz(3) not null default now(),
  constraint recommendation_feedback_once unique (account_id, subject_id, recipient_id)
);
create index recommendation_feedback_subject on recommendation_feedback (subject_id);
create index recommendation_feedback_recipient on recommendation_feedback (recipient_id);
create index recommendation_feedback_given_at on recommendation_feedback (given_at);

-- Athletes are recommended by score within what an opportunity asks for, of every sport they practise.
create index prospect_asked_score on prospect (sport, sex, position_group, talent_score, id) where open_to_opportunities is distinct from false;
create index prospect_living_score on prospect (sport, left(country, 2), talent_score, id) where open_to_opportunities is distinct from false;

-- Who is of a nation is found within a category and a group of positions: alone, a nation is a tenth of everybody.
create function scouting.prospect_nations(sport text, sex text, position_group text, nationalities text[]) returns text[]
language sql immutable parallel safe as $$
  select array_agg($1 || ' ' || $2 || ' ' || $3 || ' ' || code) from unnest($4) as code
$$;
create index prospect_nations on prospect using gin (scouting.prospect_nations(sport, sex, position_group, nationalities));
