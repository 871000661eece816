/** The evaluations on real data, each with the files it reads from a folder of open data. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Random } from '../platform/random.ts';
import { recruitment, recruitmentFiles } from './recruitment/recruitment.ts';
import type { Report } from './report.ts';
import { readTour, talentOfTour, tourFile } from './tour.ts';

interface RealData {
  readonly title: string;
  readonly files: readonly string[];
  readonly reports: (folder: string, random: Random) => Report[];
}

const realData: readonly RealData[] = [
  { title: 'the Tour de France', files: [tourFile], reports: (folder, random) => talentOfTour(readTour(folder), random) },
  { title: 'recruitment', files: recruitmentFiles, reports: recruitment },
];

/** The reports on the data in a folder. Null skips all of them, and a missing file skips those that read it. */
export function* realReports(folder: string | null, random: Random, log: (line: string) => void): Generator<Report> {
  for (const { title, files, reports } of realData) {
    const missing = folder === null ? files[0] : files.find((file) => !existsSync(join(folder, file)));
    if (folder === null || missing !== undefined)
      log(`Skipping ${title}: OPEN_DATA is not set to a folder that contains ${missing ?? ''}.`);
    else yield* reports(folder, random);
  }
}
