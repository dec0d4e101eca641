/** What a run spends on its screen: a run of many short instances, told to a screen and told to nobody, in processes of their own. */
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { type Bench, type Case, type Measured, run } from './measure.ts';

export const screenCases: readonly Case[] = [{ name: 'screen of a run', measure: screen }];

interface Told {
  readonly cpuMs: number;
  readonly wallMs: number;
  readonly peakMb: number;
  readonly bytes: number;
}

async function screen({ scratch, quick }: Bench): Promise<readonly Measured[]> {
  const folder = await mkdtemp(join(scratch, 'screen-'));
  const program = join(folder, 'screen-alone.mjs');
  await build({
    entryPoints: [fileURLToPath(new URL('./screen-alone.ts', import.meta.url))],
    ...{ outfile: program, bundle: true, platform: 'node', format: 'esm', minifySyntax: true, logLevel: 'error' },
  });
  const told = async (how: 'screen' | 'nobody', instances: number, seconds: number): Promise<Told> => {
    const argv = [process.execPath, program, how, `${instances}`, `${seconds}`];
    return JSON.parse((await run({ argv, cwd: folder })).stdout) as Told;
  };
  const seconds = quick ? 6 : 30;
  const [nobody, thousand] = [await told('nobody', 1_000, seconds), await told('screen', 1_000, seconds)];
  const forty = await told('screen', 40, seconds);
  const share = (100 * (thousand.cpuMs - nobody.cpuMs)) / thousand.wallMs;
  const note = `${seconds} s; told to nobody ${nobody.cpuMs.toFixed(0)} ms of processor and ${nobody.peakMb.toFixed(0)} MB`;
  return [
    { name: 'screen of 1,000 short instances, of a core', ours: [share], unit: '%', aim: 5, note },
    { name: 'screen of 1,000 short instances, memory', ours: [thousand.peakMb - nobody.peakMb], unit: 'MB', aim: 40 },
    {
      name: 'screen of 40 instances, repaint in a second',
      ours: [forty.bytes / 1_000 / (forty.wallMs / 1_000)],
      unit: 'kB',
      aim: 8,
    },
  ];
}
