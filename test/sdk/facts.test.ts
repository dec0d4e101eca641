/** Real files, looked at by the prober: what they are decides what is made of them, and what it costs. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { plan } from '../../src/sdk/index.ts';
import { temporaryFolder } from '../support/temp.ts';
import { silentWav } from '../support/wav.ts';

async function folderWith(files: { readonly [name: string]: number }): Promise<string> {
  const folder = await temporaryFolder();
  mkdirSync(join(folder, 'in'));
  for (const [name, seconds] of Object.entries(files)) writeFileSync(join(folder, name), silentWav(seconds));
  return folder;
}

const shot = (audio: string) => ({ model: 'V-T2V-A' as const, with: { prompt: 'a fox', audio_url: audio } });

test('a list is shortened by how long its files are, and a file that is named beside it is found', async () => {
  const folder = await folderWith({ 'in/a.wav': 1, 'in/b.wav': 12.4, 'in/c.wav': 29, 'theme.wav': 20 });
  const planned = await plan(
    {
      shotlist: 1,
      name: 'voices',
      data: { clips: 'in/*.wav' },
      steps: {
        spoken: {
          matrix: { clip: '${{ data.clips.filter(c, c.media.duration > 2.0) }}' },
          key: '${{ matrix.clip.name }}',
          ...shot('${{ matrix.clip.file }}'),
        },
        sung: shot('theme.wav'),
      },
    } as never,
    { folder },
  );
  expect(planned).toMatchObject({ is: 'planned' });
  expect(JSON.stringify(planned)).toContain('spoken[clip=b]');
  expect(JSON.stringify(planned)).not.toContain('spoken[clip=a]');
});

test('a sound that is too long by its samples is an error at its place', async () => {
  const folder = await folderWith({ 'theme.wav': 31 });
  const planned = await plan({ shotlist: 1, name: 'voice', steps: { sung: shot('theme.wav') } } as never, { folder });
  expect(JSON.stringify(planned)).toContain('audio_url is 31 s long; V-T2V-A takes at most 30 s');
});
