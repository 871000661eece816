/** The faults, each injected once per round under load. */
import { setTimeout as sleep } from 'node:timers/promises';
import { waitForSuccess } from '../../commands/local-process.ts';
import { roleOf } from '../../commands/role-processes.ts';
import { findPostmaster } from '../../platform/embedded-postgres/postmaster.ts';
import { fillDisk } from './disk.ts';
import type { Standby } from './standby.ts';
import type { System } from './system.ts';

export interface Fault {
  readonly name: string;
  /** Whether recovery is measured from the start of the fault, because nothing ends it but the restart of the process. */
  readonly isCrash: boolean;
  /** What must exist before; not part of the recovery. */
  prepare?(system: System): Promise<void>;
  /** Injects the fault; resolves at its end. */
  inject(system: System): Promise<void>;
}

const heldMs = 4_000;
const slowMs = 200;

const kill = (name: string): Fault => ({ name: `kill ${name}`, isCrash: true, inject: (system) => system.kill(name) });

const pause = (name: string): Fault => ({
  name: `pause ${name} for 4 s`,
  isCrash: false,
  async inject(system) {
    system.signal(name, 'SIGSTOP');
    await sleep(heldMs);
    system.signal(name, 'SIGCONT');
  },
});

/** Cuts, holds, slows and resets the connections of all processes to a dependency. */
function connectionFaults(dependency: string, proxy: 'postgres' | 'redisProxy'): Fault[] {
  const during = (passage: Parameters<System['postgres']['pass']>[0]) => async (system: System) => {
    system[proxy].pass(passage);
    await sleep(heldMs);
    system[proxy].pass({ latencyMs: 0 });
  };
  return [
    { name: `${dependency}: connections cut for 4 s`, isCrash: false, inject: during('CUT') },
    { name: `${dependency}: connections held for 4 s`, isCrash: false, inject: during('HELD') },
    { name: `${dependency}: ${slowMs} ms latency for 4 s`, isCrash: false, inject: during({ latencyMs: slowMs }) },
    {
      name: `${dependency}: connections reset`,
      isCrash: false,
      inject: (system) => Promise.resolve(system[proxy].reset()),
    },
  ];
}

const killPostgres: Fault = {
  name: 'kill PostgreSQL',
  isCrash: true,
  inject: killPrimary,
};

async function killPrimary({ primary }: System): Promise<void> {
  const postmaster = await findPostmaster(primary().clusterDirectory);
  if (postmaster === null) throw new Error('PostgreSQL does not run');
  process.kill(postmaster.pid, 'SIGKILL');
}

/** The primary is lost, and its synchronous standby replaces it. */
function failOver(): Fault {
  let standby: Standby;
  return {
    name: 'PostgreSQL: failover to the synchronous standby',
    isCrash: true,
    async prepare(system) {
      standby = await system.addStandby();
    },
    async inject(system) {
      // no process reaches the previous primary again
      system.postgres.pass('CUT');
      await killPrimary(system);
      await system.failOver(standby);
      system.postgres.pass({ latencyMs: 0 });
    },
  };
}

const killRedis: Fault = {
  name: 'kill Redis',
  isCrash: true,
  async inject({ redis }) {
    await redis.kill();
    await sleep(500);
    await redis.start();
  },
};

const fullDisk: Fault = {
  name: 'disk of PostgreSQL full for 4 s',
  isCrash: false,
  async inject({ primary }) {
    const free = await fillDisk(primary().dataDirectory);
    await sleep(heldMs);
    await free();
  },
};

/** All faults. Processes are killed and paused one at a time, the first instance of each role. */
export function allFaults(names: readonly string[]): Fault[] {
  const first = names.filter((name) => roleOf(name) === name);
  return [
    ...first.map(kill),
    ...first.map(pause),
    killPostgres,
    ...connectionFaults('PostgreSQL', 'postgres'),
    fullDisk,
    killRedis,
    ...connectionFaults('Redis', 'redisProxy'),
    failOver(),
  ];
}

/** Longer than two health checks of the balancer. */
const balancedMs = 2_500;

/** A restart of every process, one after the other, as an upgrade does. */
export function rollingRestart(names: readonly string[]): Fault[] {
  return names.map((name) => ({
    name: `restart ${name}`,
    isCrash: false,
    async inject({ processes }) {
      await processes.stop(name);
      await processes.start(name);
      await waitForSuccess(`${processes.url(name)}/ready`);
      await sleep(balancedMs);
    },
  }));
}
