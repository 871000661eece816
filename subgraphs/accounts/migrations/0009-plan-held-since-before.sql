-- 0006 noted of keys that were there before it, and have no end, that their plan had ended when it began. It goes on.
update accounts.plan_held h set until = null
  where h.until = h.since
    and not exists (select from accounts.plan_held later where later.quota_subject_id = h.quota_subject_id and later.since > h.since)
    and exists (
      select from accounts.api_key k join accounts.account a on a.id = k.account_id
      where k.quota_subject_id = h.quota_subject_id and k.status <> 'REVOKED' and k.expires_at is null and a.status <> 'CLOSED'
    );
