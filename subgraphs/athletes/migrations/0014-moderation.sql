-- Statistics that were reported and that no moderator checked, in the order in which they came.
create index statistics_unchecked on statistics (updated_at, id) where not verified and source in ('PROVIDER', 'SELF_REPORTED');
