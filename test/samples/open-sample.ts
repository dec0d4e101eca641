/** A sample is opened: a project with its journal, at the service that it was sent to. Both are the sample's own copy. */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Stage } from '../e2e/stage.ts';
import { TeamStage } from '../e2e/team-world.ts';
import { type ReadyStudio, readyStudio } from '../support/ready-studio.ts';
import { emptyDatabase } from '../team/test-database.ts';
import { writeDatabase } from './sql-text.ts';
import { restoreTeam } from './team-rows.ts';

/** Where the service of samples was, as they name it. */
export const SERVICE = 'http://studio.test';

export interface OpenSample {
  readonly stage: Stage;
  readonly studio: ReadyStudio;
  close(): Promise<void>;
}

export interface OpenTeam extends OpenSample {
  readonly stage: TeamStage;
}

export const SAMPLES = readdirSync('test/samples', { withFileTypes: true }).flatMap(entry =>
  /^\d/.test(entry.name) && entry.isDirectory() ? [entry.name] : [],
);

export async function openProject(name: string): Promise<OpenSample> {
  const sample = resolve('test/samples', name);
  const stage = new Stage();
  const studio = await openStudio(sample, join(stage.folder, 'studio'));
  const read = (path: string) => readFileSync(join(sample, path), 'utf8').replaceAll(SERVICE, studio.url);
  for (const entry of readdirSync(join(sample, 'project'), { withFileTypes: true }))
    if (entry.isFile() && !entry.name.endsWith('.sql')) stage.write(entry.name, read(`project/${entry.name}`));
  mkdirSync(join(stage.project, '.shotlist'));
  writeDatabase(join(stage.project, '.shotlist/journal.db'), read('project/journal.sql'));
  cpSync(join(sample, 'project/store'), join(stage.project, '.shotlist/store'), { recursive: true });
  stage.env = { FARM_KEY: studio.key };
  return {
    ...{ stage, studio },
    close: async () => {
      stage.killAll();
      await studio.close();
      stage.dispose();
    },
  };
}

/** A team's database and store, at the same service; the tables are as old as the sample. */
export async function openTeam(name: string): Promise<OpenTeam> {
  const sample = resolve('test/samples', name);
  const folder = mkdtempSync(join(tmpdir(), 'shotlist-sample-'));
  const studio = await openStudio(sample, folder);
  const database = await emptyDatabase();
  const read = (path: string) => readFileSync(join(sample, 'team', path), 'utf8').replaceAll(SERVICE, studio.url);
  await restoreTeam(database.url, read('rows.sql'));
  const farm = `services: { farm: { url: "${studio.url}", key_env: FARM_KEY } }\nservice: farm\nhistory: trusted\n`;
  const stage = TeamStage.at(database, farm);
  cpSync(join(sample, 'team/store'), join(stage.folder, 'shared'), { recursive: true });
  for (const file of readdirSync(join(sample, 'team'))) if (file.endsWith('.yaml')) stage.write(file, read(file));
  stage.env = { FARM_KEY: studio.key };
  return {
    ...{ stage, studio },
    close: async () => {
      await stage.close();
      await studio.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The service as it was left: what was under way there goes on. */
async function openStudio(sample: string, folder: string): Promise<ReadyStudio> {
  mkdirSync(folder, { recursive: true });
  writeDatabase(join(folder, 'studio.sqlite'), readFileSync(join(sample, 'studio/state.sql'), 'utf8'));
  cpSync(join(sample, 'studio/results'), join(folder, 'results'), { recursive: true });
  return readyStudio({ folder });
}
