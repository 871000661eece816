/** Pauses itself and the process of the planner while that plans a large operation; planner.test.ts continues both. */
import { setTimeout } from 'node:timers/promises';
import { createPlanner } from '../../router/planner/planner.ts';
import { loadSupergraph } from '../../router/supergraph.ts';

const { supergraphSdl } = loadSupergraph();
const planner = createPlanner({ supergraphSdl, budgetMs: 2_000 });
await planner.plan('{ organizations { nodes { id } } }', null);
const roots = Array.from({ length: 250 }, (_, index) => `a${index}: memberships { nodes { athlete { displayName } } }`);
const planned = planner.plan(`{ ${roots.join(' ')} }`, null);
await setTimeout(20);
console.log('paused');
// the group of this process: planner.test.ts starts it as a leader
process.kill(-process.pid, 'SIGSTOP');
await planned;
console.log('planned');
await planner.close();
