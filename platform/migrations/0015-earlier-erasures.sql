-- The records of erasures before 0014. The lock waits for erasures that began with the previous function.
lock table history in share mode;
insert into audit_history_erasure (id, resource_type, resource_id)
select h.id, h.resource_type, h.resource_id from history h
where h.erased_hash is not null and not exists (select from audit_history_erasure e where e.id = h.id);
