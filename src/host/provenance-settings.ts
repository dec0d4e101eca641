/** `provenance`: what a film is handed on with. */
import { fields, reportUnknown } from './settings-fields.ts';

export interface ProvenanceSettings {
  /** A `.provenance.json` beside each output of a run. */
  readonly sidecars: boolean;
  /** Signs a film: it is handed the film, a C2PA manifest, and where the signed film goes. */
  readonly c2pa?: readonly [string, ...string[]];
}

export function readProvenance(value: unknown, file: string, problems: string[]): ProvenanceSettings {
  const where = `provenance in ${file}`;
  const declared = fields(value, where, problems);
  reportUnknown('setting', declared, ['sidecars', 'c2pa'], where, problems);
  const sidecars = declared.get('sidecars') ?? false;
  if (typeof sidecars !== 'boolean') problems.push(`sidecars of ${where} is no yes or no; write \`sidecars: true\``);
  const words = declared.get('c2pa');
  const isCommand =
    Array.isArray(words) && words.length > 0 && words.every(word => typeof word === 'string' && word !== '');
  if (words !== undefined && !isCommand)
    problems.push(`c2pa of ${where} is no list of words; write it like \`[./sign.sh]\`, without a shell`);
  return { sidecars: sidecars === true, ...(isCommand && { c2pa: words as [string, ...string[]] }) };
}
