/** `npm run dashboard`: builds the web apps of administrators and partners into dashboard/dist. */
import { parseArgs } from 'node:util';
import { buildDashboard, isStale } from './dashboard-build.ts';
import { runCommand } from './command.ts';
import { printSizes } from './dashboard-sizes.ts';

const help = `Usage: npm run dashboard [-- --if-stale] [-- --sizes] [-- --serve]

Builds the dashboard into dashboard/dist, which the platform serves at /admin and /portal. npm start builds a stale dashboard automatically.
  --if-stale  build only when the dashboard changed since the last build
  --sizes     print the compressed size of each page
  --serve     run the development server at http://localhost:4040/admin/, for a platform on port 4000

Exit codes: 0 success, 1 failure, 2 invalid usage.`;

async function main(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      'if-stale': { type: 'boolean', default: false },
      sizes: { type: 'boolean', default: false },
      serve: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return console.log(help);
  if (values.serve) {
    const { serveDashboard } = await import('./dashboard-build.ts');
    return serveDashboard();
  }
  if (!values['if-stale'] || isStale()) {
    const startedAt = performance.now();
    await buildDashboard();
    console.log(`Built the dashboard in ${((performance.now() - startedAt) / 1000).toFixed(1)} s.`);
  }
  if (values.sizes) printSizes();
}

if (import.meta.main) await runCommand(main);
