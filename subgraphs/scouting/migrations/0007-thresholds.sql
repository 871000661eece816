-- A metric is of few sports: without a word of it, rare numbers seem rarer than they are.
create statistics prospect_metric_facts (mcv) on sport, metric, event_code from prospect_metric;
