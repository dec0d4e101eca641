/**
 * The licences of what is bundled: `dist/` carries other people's code, and with it what they ask to be carried along. Bundled, a
 * command starts without looking through ninety packages, and an installation is one package instead of those.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';

interface Bundled {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  /** Where its source is. */
  readonly source: string;
  /** The files that say its terms, whole. */
  readonly texts: readonly string[];
}

/** @throws when a package says nothing about its licence: then nobody may bundle it. */
export function thirdPartyLicenses(metafiles: readonly Metafile[]): string {
  const folders = new Set(metafiles.flatMap(bundledFolders));
  const packages = [...folders].map(readPackage).sort((a, b) => (title(a) < title(b) ? -1 : 1));
  const unique = packages.filter((it, at) => at === 0 || title(it) !== title(packages[at - 1]!));
  const head = [
    'Shotlist is MIT-licensed. The files in this folder contain code of the packages below, under their own licences.',
    'Their unchanged sources are where each of them says, and on the npm registry under the same name and version.',
  ];
  return `${[head.join('\n'), ...unique.map(section)].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

/** Imports that stay outside the bundle, Node's own modules aside. */
export function outsidePackages(metafiles: readonly Metafile[]): readonly string[] {
  const named = metafiles
    .flatMap(({ outputs }) => Object.values(outputs))
    .flatMap(({ imports }) => imports)
    .filter(({ external, path }) => external && !isBuiltin(path) && !path.startsWith('.'))
    .map(({ path }) => /^(@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? path);
  return [...new Set(named)].sort();
}

/** Only what left bytes in the output. */
function bundledFolders({ outputs }: Metafile): readonly string[] {
  return Object.values(outputs)
    .flatMap(({ inputs }) => Object.entries(inputs))
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([path]) => /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(path)?.[0])
    .filter(folder => folder !== undefined);
}

function readPackage(folder: string): Bundled {
  const { name, version, license, repository, homepage } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  );
  if (typeof license !== 'string') throw new Error(`${name} ${version} says no licence; it cannot be bundled`);
  const files = readdirSync(folder).filter(file => /^(licen[cs]e|copying|notice)/i.test(file));
  const address = typeof repository === 'string' ? repository : (repository?.url ?? homepage);
  const source = address ?? `https://www.npmjs.com/package/${name}/v/${version}`;
  return { name, version, license, source, texts: files.map(file => readFileSync(join(folder, file), 'utf8').trim()) };
}

const title = ({ name, version }: Bundled): string => `${name} ${version}`;

function section(bundled: Bundled): string {
  return [`${title(bundled)} (${bundled.license})\n${bundled.source}`, ...bundled.texts].join('\n\n');
}
