/** The data of a page, out of its block. */
import type { PackedData } from '../page-data.ts';

/** @param id of the `<script type="application/json">` that holds it. */
export async function readPageData<Data>(id: string): Promise<Data> {
  const block = JSON.parse(document.getElementById(id)?.textContent ?? 'null') as Data | PackedData;
  return isPacked(block) ? (JSON.parse(await unpacked(block.gzip)) as Data) : block;
}

const isPacked = (block: unknown): block is PackedData =>
  typeof block === 'object' && block !== null && 'gzip' in block;

async function unpacked(base64: string): Promise<string> {
  const bytes = Uint8Array.from(atob(base64), letter => letter.charCodeAt(0));
  return await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).text();
}
