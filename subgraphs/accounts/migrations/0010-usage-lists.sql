-- Differences are listed by the day a lineage was last used. Counts are no part of the index, so that a flush leaves it alone.
create index subject_usage_lineage on accounts.subject_usage (day, (encode(subject, 'hex')::uuid)) where octet_length(subject) = 16;
