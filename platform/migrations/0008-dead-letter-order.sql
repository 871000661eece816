-- The dead letters of a consumer as operators list them, newest first, and those to retry.
create index dead_letter_failed on dead_letter (consumer, failed_at, event_id);
create index dead_letter_retry on dead_letter (consumer, position) where retry;
