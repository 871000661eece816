// Follows one match: reads it once, then replaces it by what each event of the stream contains.
const matchId = new URLSearchParams(location.search).get('match') ?? '';
const element = (id) => document.getElementById(id);

function show(match) {
  element('competition').textContent = match.season.competition.name;
  element('status').textContent = match.status.replaceAll('_', ' ').toLowerCase();
  const scores = new Map(match.result?.participants.map(({ participant, score }) => [participant.id, score]));
  const rows = match.participants.map(({ participant, placeholder }) => {
    const row = document.createElement('tr');
    const name = row.appendChild(document.createElement('th'));
    name.scope = 'row';
    name.textContent = participant?.name ?? placeholder?.text ?? 'To be decided';
    row.appendChild(document.createElement('td')).textContent = scores.get(participant?.id) ?? '–';
    return row;
  });
  element('sides').replaceChildren(...rows);
}

function list({ type, timestamp }) {
  const item = document.createElement('li');
  item.textContent = `${new Date(timestamp).toLocaleTimeString()} ${type.replaceAll(/[._]/g, ' ')}`;
  element('events').prepend(item);
}

function follow() {
  // the browser reconnects automatically, and continues after the last event
  const stream = new EventSource(`events?match=${encodeURIComponent(matchId)}`);
  stream.onopen = async () => {
    element('connection').textContent = 'live';
    // after the stream is open, so that no change is missed between the two
    const response = await fetch(`match?match=${encodeURIComponent(matchId)}`);
    if (response.ok) show(await response.json());
  };
  stream.onerror = () => {
    element('connection').textContent = stream.readyState === EventSource.CLOSED ? 'not available' : 'reconnecting';
  };
  const types = ['match.updated', 'match.status_changed', 'match.finished', 'match_action.created', 'match_action.updated'];
  for (const type of [...types, 'match_action.deleted', 'result.recorded', 'result.corrected', 'result.certified'])
    stream.addEventListener(type, ({ data }) => {
      const event = JSON.parse(data);
      list(event);
      if (event.data?.representation) show(event.data.representation);
    });
}

follow();
