/** The floor under `check`: the parser with the options it is used with, and nothing else. */
import { readFileSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { LineCounter, parseDocument } from 'yaml';

enableCompileCache();
const text = readFileSync(process.argv[2] ?? '', 'utf8');
const document = parseDocument(text, { lineCounter: new LineCounter(), uniqueKeys: false, merge: false });
if (document.errors.length > 0) throw document.errors[0];
