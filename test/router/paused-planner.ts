/** Plans a large operation and reports its progress; planner.test.ts pauses this process and that of the planner. */
import { createPlanner } from '../../router/planner/planner.ts';
import { loadSupergraph } from '../../router/supergraph.ts';

const { supergraphSdl } = loadSupergraph();
const planner = createPlanner({ supergraphSdl, budgetMs: 2_000 });
await planner.plan('{ organizations { nodes { id } } }', null);
const roots = Array.from({ length: 250 }, (_, index) => `a${index}: memberships { nodes { athlete { displayName } } }`);
const planned = planner.plan(`{ ${roots.join(' ')} }`, null);
console.log('planning');
await planned;
console.log('planned');
await planner.close();
