/** What goes along with a film that is handed in: rights of scripts, links, and what a database cannot keep. */
import { chmodSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ends } from './ended.ts';
import { TeamStage } from './team-world.ts';

let team: TeamStage;
beforeAll(async () => {
  team = await TeamStage.open();
  team.env = { SHOTLIST_STUDIO_SPEED: 'draft' };
  await team.worker('--hands', '0');
  await team.worker('--leads', '0');
});
afterAll(() => team.close());

const submit = (...args: readonly string[]) => team.ask('team', 'submit', ...args);
const link = (target: string, path: string) => symlinkSync(target, team.at(path));

test('a script may be run where it may be here, other files may not, and a link is what it leads to', async () => {
  team.write('tools/mark.sh', '#!/bin/sh\ncat "$SHOTLIST_PROJECT/words.txt" "$linked"\n');
  chmodSync(team.at('tools/mark.sh'), 0o755);
  team.write('words.txt', 'a red fox\n');
  team.write('data/snow.txt', 'in the snow\n');
  link('data/snow.txt', 'linked.txt');
  team.write(
    'files.yaml',
    `shotlist: 1
name: files
steps:
  direct: { run: [tools/mark.sh], files: { linked: linked.txt } }
  told:
    run: |
      for file in tools/mark.sh words.txt; do test -x "$SHOTLIST_PROJECT/$file" && echo "$file may run" || echo "$file may not"; done >told.txt
      "$SHOTLIST_PROJECT/tools/mark.sh" >>told.txt
      test -e "$SHOTLIST_PROJECT/words.txt"
    files: { linked: linked.txt }
    creates: { text: told.txt }
outputs:
  told: { from: "\${{ steps.told.files.text }}", to: out/told.txt }
`,
  );
  const submitted = await submit('files.yaml', '--watch', '--ui', 'plain');
  expect(submitted.exit, submitted.stderr).toBe(0);
  const [run = ''] = submitted.stdout.split('\n');
  expect((await team.ask('team', 'fetch', run)).exit).toBe(0);
  expect(team.read('out/draft/told.txt')).toBe('tools/mark.sh may run\nwords.txt may not\na red fox\nin the snow\n');
});

test('a link that leads out of the project is not followed there', async () => {
  writeFileSync(join(team.folder, 'secret.txt'), 'not yours\n');
  link('../secret.txt', 'notes.txt');
  team.write(
    'link.yaml',
    'shotlist: 1\nname: link\nsteps: { told: { run: cat "$notes", files: { notes: notes.txt } } }\n',
  );
  await ends(
    submit('link.yaml'),
    2,
    `notes.txt is a link to ${join(team.folder, 'secret.txt')}, outside of the project: workers get what is in it alone; put a copy in its place`,
  );
});

test('what the database cannot keep is refused in words, and nothing is handed in', async () => {
  team.write(
    'words.yaml',
    'shotlist: 1\nname: words\nparams: { idea: { type: array, items: { type: string } } }\nsteps: { told: { run: echo } }\n',
  );
  for (const [idea, told] of [
    ['["a\\u0000fox"]', 'params.idea[0] holds a NUL character'],
    ['["a fox", "half \\ud83e"]', 'params.idea[1] holds half of a character'],
  ]) {
    team.write('params.json', `{"idea": ${idea}}`);
    await ends(
      submit('words.yaml', '--param', 'params.json'),
      2,
      `${told}, which the team's database does not take, so nothing was handed in: take it out`,
    );
  }
  expect((await team.ask('team', 'list', '--all')).stdout).not.toContain('words');
});

test('the same in a text of the film itself is kept as it is', async () => {
  team.write(
    'odd.yaml',
    'shotlist: 1\nname: odd\nsteps:\n  look: { model: C-D, with: { prompt: "a \\0 fox", max_tokens: 50 } }\n  best: { approve: "${{ steps.look }}", ask: "is it \\0 good?" }\n',
  );
  await ends(submit('odd.yaml', '--watch', '--ui', 'plain'), 5);
  await ends(team.ask('approve', 'odd.yaml', 'best', '--note', 'a 🦊', '--as', 'Anna'), 0);
});
