/** libxml2 itself says whether a document is JUnit's. */
import { readFileSync } from 'node:fs';
import { memoryPages, validateXML } from 'xmllint-wasm';

const schema = readFileSync(new URL('../reporters/junit.xsd', import.meta.url), 'utf8');

/** What is wrong with each of them; nothing where all are valid. */
export async function junitMistakes(...documents: readonly string[]): Promise<readonly string[]> {
  const { errors } = await validateXML({
    xml: documents.map((contents, n) => ({ fileName: `run-${n}.xml`, contents })),
    schema: { fileName: 'junit.xsd', contents: schema },
    maxMemoryPages: memoryPages.GiB,
  });
  return errors.map(({ rawMessage }) => rawMessage);
}
