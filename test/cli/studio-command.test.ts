/** What `shotlist studio` says before it serves anything. */
import { expect, test, vi } from 'vitest';
import { main } from '../../src/cli/commands/studio.ts';
import { VICES } from '../../src/studio/service/vices/vice-table.ts';

async function said(...args: string[]): Promise<{ exit: number; out: string; err: string }> {
  const told = { out: '', err: '' };
  const hear = (to: 'out' | 'err') => (text: string | Uint8Array) => {
    told[to] += String(text);
    return true;
  };
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation(hear('out')),
    vi.spyOn(process.stderr, 'write').mockImplementation(hear('err')),
  ];
  try {
    return { exit: await main(args), ...told };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

test('--vice list tells every vice in a sentence, and serves nothing', async () => {
  const { exit, out } = await said('--vice', 'list');
  const lines = out.trimEnd().split('\n');
  expect([exit, lines.length]).toEqual([0, Object.keys(VICES).length]);
  expect(lines[0]).toBe('history-truncates         the history lists only the newest few (=3 rows)');
});

test('a vice that there is not, and a seed that is none, are told with what would do', async () => {
  expect(await said('--vice', 'anwsers-504')).toMatchObject({
    exit: 2,
    err: expect.stringContaining('the studio has no vice `anwsers-504`; did you mean answers-504? There are '),
  });
  expect(await said('--seed', '1.5')).toMatchObject({
    exit: 2,
    err: 'shotlist: --seed is a whole number from 0; `1.5` is not\n',
  });
});
