/** Shows a recording live in this terminal: `node test/terminal/demo.ts teaser` (or failing, unknown, detached, resumed, crowd, bulk). */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleReplay } from './bundle.ts';

const folder = mkdtempSync(join(tmpdir(), 'shotlist-demo-'));
const replay = await bundleReplay(folder);
spawnSync(process.execPath, [replay, process.argv[2] ?? 'teaser', 'live'], { stdio: 'inherit' });
rmSync(folder, { recursive: true });
