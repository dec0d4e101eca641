import { expect, test } from 'vitest';
import type { GenerationId, InstanceKey } from '../../src/domain/key.ts';
import type { MediaResult } from '../../src/domain/result.ts';
import { LockFile, lockPath } from '../../src/run/lock.ts';

const result: MediaResult = {
  is: 'media',
  result_url: 'https://house.test/signed?expires=1',
  file: '/somewhere/private.mp4',
  sha256: 'ab'.repeat(32),
  bytes: 1234,
  generation_id: 'gen-1' as GenerationId,
  request: { prompt: 'a fox' },
  cost: 0.5,
  media: { kind: 'video', format: 'mp4', width: 1280, height: 720, duration: 5 },
};
const shot = { key: 'shot' as InstanceKey, model: 'V-T2V-A', done: { fingerprint: 'f1', result } };

test('it reads like a story: sections for each service, one block for each instance, no address and no path', () => {
  const text = LockFile.open(undefined, 'studio', 'fox.lock.yaml', false).with([shot]);
  expect(
    text,
  ).toBe(`# Written by shotlist; commit it. It says what every instance of the film gave, so that nothing is paid for twice.
shotlist: 1
services:
  studio:
    shot:
      fingerprint: f1
      model: V-T2V-A
      sha256: ${'ab'.repeat(32)}
      bytes: 1234
      media:
        kind: video
        format: mp4
        width: 1280
        height: 720
        duration: 5
      generation: gen-1
      cost: 0.5
`);
});

test('what is locked is found by what was asked, never by its name; its address is asked for anew', () => {
  const text = LockFile.open(undefined, 'studio', 'fox.lock.yaml', false).with([shot]);
  const lock = LockFile.open(text, 'studio', 'fox.lock.yaml', false);
  expect(lock.find('f1')).toEqual({ ...result, result_url: 'generation:gen-1', file: '', request: {} });
  expect(lock.find('f2')).toBeUndefined();
  expect(LockFile.open(text, 'hosted', 'fox.lock.yaml', false).find('f1')).toBeUndefined();
});

test('other services keep their sections, unfinished instances what they had, removed ones go', () => {
  const studio = LockFile.open(undefined, 'studio', 'fox.lock.yaml', false).with([
    shot,
    { ...shot, key: 'old' as InstanceKey },
  ]);
  const both = LockFile.open(studio, 'hosted', 'fox.lock.yaml', false).with([shot]);
  const after = LockFile.open(both, 'studio', 'fox.lock.yaml', false).with([{ ...shot, done: undefined }]);
  expect(after.match(/^ {2,4}\S+:/gm)).toEqual(['  hosted:', '    shot:', '  studio:', '    shot:']);
});

test('a lock file that a merge broke, or a newer version wrote, is refused with what to do', () => {
  expect(() => LockFile.open('<<<<<<< mine\na: [', 'studio', 'fox.lock.yaml', false)).toThrow(
    'fox.lock.yaml is not readable YAML, perhaps after a merge; mend it, or delete it: what is owned is still in the journal',
  );
  expect(() => LockFile.open('shotlist: 9', 'studio', 'fox.lock.yaml', false)).toThrow(
    'fox.lock.yaml has version 9; this shotlist reads lock files of version 1',
  );
});

test('it stands beside the pipeline', () => {
  expect(lockPath('pipelines/fox.yaml')).toBe('pipelines/fox.lock.yaml');
  expect(lockPath('fox.yml')).toBe('fox.lock.yaml');
});
