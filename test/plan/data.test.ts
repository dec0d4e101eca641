/** What is planned over data files. */
import { expect, test } from 'vitest';
import { modelLibrary } from '../../src/api/model-library.ts';
import { compile } from '../../src/language/compile.ts';
import type { ProjectFiles } from '../../src/language/used-files.ts';
import { plan } from '../../src/plan/plan.ts';
import { contextOf } from './support.ts';

const photos: ProjectFiles = {
  read: () => ({ problem: 'does not exist' }),
  list: () => ({ paths: ['in/fox 2.jpg', 'in/owl.jpg'] }),
  relativeTo: () => photos,
};

test('files that a glob matches are instances, by their names, and are known by their content', () => {
  const text = `shotlist: 1
name: film
data: { photos: in/*.jpg }
steps:
  edit:
    matrix: { photo: "\${{ data.photos }}" }
    key: \${{ matrix.photo.name }}
    model: I-EDIT-C
    with: { prompt: "\${{ matrix.photo.media.width }} wide", input_image: ["\${{ matrix.photo.file }}"] }
`;
  const { pipeline } = compile({ path: 'film.yaml', text }, modelLibrary, { files: photos });
  const image = (sha256: string, width: number) => ({
    ...{ sha256, bytes: 3, url: `file:///p/${sha256}.jpg` },
    facts: { kind: 'image' as const, format: 'jpeg', width, height: 9 },
  });
  const files = { 'in/fox 2.jpg': image('aa', 16), 'in/owl.jpg': image('bb', 20) };
  const made = plan(pipeline!, contextOf({ files })).plan!;
  expect([...made.instances].map(({ key, request }) => [key, request])).toEqual([
    ['edit[photo="fox 2"]', { prompt: '16 wide', input_image: ['file:///p/aa.jpg'] }],
    ['edit[photo=owl]', { prompt: '20 wide', input_image: ['file:///p/bb.jpg'] }],
  ]);
});
