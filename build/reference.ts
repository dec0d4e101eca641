/** Writes what is made of the schemas and the code's own tables: `npm run reference`. A test holds the files to it. */
import { writeFileSync } from 'node:fs';
import { GENERATED } from './reference-files.ts';

for (const { path, text } of GENERATED) writeFileSync(new URL(`../${path}`, import.meta.url), text());
