/** Whether an output is what was made: byte for byte, or with the mark that says so of it and without the studio's clean plate. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { VERSION } from '../../src/app/service/version.ts';
import { withoutPlate } from '../../src/media/encode/clean-plate.ts';
import { edited, together } from '../../src/media/marking/byte-edits.ts';
import { markingEdits, ownMarks } from '../../src/media/marking/mark.ts';
import { isSourceType } from '../../src/model/source-type.ts';

/** @param output where it lies. @param made the bytes of the result. */
export async function isPlacedFrom(output: string, made: Buffer): Promise<boolean> {
  const placed = await readFile(output);
  if (placed.equals(made)) return true;
  const format = extname(output).slice(1);
  const { source_type: type } = await ownMarks(output, { format });
  const folder = await mkdtemp(join(tmpdir(), 'placed-'));
  try {
    const copy = join(folder, 'made');
    await writeFile(copy, made);
    const mark = isSourceType(type) && (await markingEdits(copy, { format }, { type, tool: `Shotlist ${VERSION}` }));
    await writeFile(join(folder, 'marked'), edited(copy, together(await withoutPlate(copy), mark || [])));
    return placed.equals(await readFile(join(folder, 'marked')));
  } finally {
    await rm(folder, { recursive: true });
  }
}
