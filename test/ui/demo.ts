/** Shows a recording live in this terminal: `node test/ui/demo.ts teaser` (or failing, unknown, detached, resumed, crowd, bulk). */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleReplay } from './bundle.ts';

const folder = mkdtempSync(join(tmpdir(), 'shotlist-demo-'));
const outfile = join(folder, 'replay.mjs');
await bundleReplay(outfile);
spawnSync(process.execPath, [outfile, process.argv[2] ?? 'teaser', 'live'], { stdio: 'inherit' });
rmSync(folder, { recursive: true });
