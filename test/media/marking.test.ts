import { execFileSync } from 'node:child_process';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { openMedia } from '../../src/media/decode/open-input.ts';
import { appendPlate, withoutPlate, withStillPlate } from '../../src/media/encode/clean-plate.ts';
import { check, libav } from '../../src/media/libav.ts';
import { edited, together } from '../../src/media/marking/byte-edits.ts';
import { markingEdits, ownMarks } from '../../src/media/marking/mark.ts';
import { probe } from '../../src/media/probe.ts';
import { type SourceType, sourceTypeAddress, sourceTypeOf } from '../../src/model/source-type.ts';
import { isMissing } from '../support/needs.ts';
import { temporaryFolder } from '../support/temp.ts';
import { streamDigests } from './streams.ts';

const red = () => sharp({ create: { width: 65, height: 40, channels: 3, background: '#c42' } });
const glass = () =>
  sharp({ create: { width: 65, height: 40, channels: 4, background: { r: 9, g: 99, b: 9, alpha: 0.4 } } });
const RDF = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"';
const TITLED = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF ${RDF}><rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" dc:format="a fox"/></rdf:RDF></x:xmpmeta>`;
const FILM = join(import.meta.dirname, '../../pipelines/media/balloons.mp4');

/** Files as programs write them: by name, what makes it. */
const FILES: { readonly [name: string]: (path: string) => Promise<unknown> } = {
  'plain.png': path => red().png().toFile(path),
  'plain.jpg': path => red().jpeg().toFile(path),
  'with-exif.jpg': path =>
    red()
      .withExif({ IFD0: { Artist: 'Ann' } })
      .jpeg()
      .toFile(path),
  'lossy.webp': path => red().webp().toFile(path),
  'lossless-glass.webp': path => glass().webp({ lossless: true }).toFile(path),
  'lossy-glass.webp': path => glass().webp().toFile(path),
  'titled.png': path => red().withXmp(TITLED).png().toFile(path),
  'titled.jpg': path => red().withXmp(TITLED).jpeg().toFile(path),
  'titled.webp': path => red().withXmp(TITLED).webp().toFile(path),
  'film.mp4': async path => writeFile(path, await readFile(FILM)),
  'in-fragments.mp4': path => copied(path, 'mp4', '+frag_keyframe+empty_moov'),
  'movie-first.mov': path => copied(path, 'mov', '+faststart'),
  'movie-last.mov': path => copied(path, 'mov', ''),
};

/** The packets of a film in another container. */
async function copied(out: string, format: string, movflags: string): Promise<void> {
  const av = await libav();
  await using release = new AsyncDisposableStack();
  const from = release.use(await openMedia(av, FILM));
  const file = release.adopt(new av.FormatContext(), it => it.freeContext());
  check(av, file.allocOutputContext2(null, format, out), 'preparing the file');
  const tracks = from.streams.map(({ codecpar, timeBase }) => {
    const track = file.newStream(null);
    check(av, codecpar.copy(track.codecpar), 'describing a track');
    Object.assign(track.codecpar, { codecTag: 0 });
    track.timeBase = timeBase;
    return track;
  });
  check(av, await file.openOutput(), 'opening the file');
  release.defer(() => file.closeOutput());
  using options = av.Dictionary.fromObject(movflags === '' ? {} : { movflags });
  check(av, await file.writeHeader(options), 'writing the head');
  const packet = release.adopt(new av.Packet(), it => it.free());
  packet.alloc();
  while ((await from.readFrame(packet)) !== av.c.AVERROR_EOF) {
    const at = packet.streamIndex;
    packet.rescaleTs(from.streams[at]!.timeBase, tracks[at]!.timeBase);
    check(av, await file.interleavedWriteFrame(packet), 'writing packets');
    packet.unref();
  }
  check(av, await file.writeTrailer(), 'finishing the file');
}

const formatOf = (name: string): string => extname(name).slice(1);

async function marked(path: string, type: SourceType = 'trainedAlgorithmicMedia'): Promise<string> {
  const format = formatOf(path);
  const out = path.replace(/(\.\w+)$/, '.marked$1');
  await writeFile(out, edited(path, await markingEdits(path, { format }, { type, tool: 'Shotlist 0.1.0' })));
  return out;
}

interface Told {
  readonly SourceFile: string;
  readonly [tag: string]: unknown;
}

/** What exiftool reads in each file. */
const told = (...paths: readonly string[]): readonly Told[] =>
  JSON.parse(
    execFileSync('exiftool', ['-json', '-G0', '-XMP:all', '-validate', '-warning', ...paths], {
      encoding: 'utf8',
      stdio: 'pipe',
    }),
  );

test.skipIf(isMissing('exiftool'))(
  'exiftool reads the mark in every kind of file, beside what stood there, and finds no fault',
  async () => {
    const folder = await temporaryFolder();
    const paths = await Promise.all(
      Object.entries(FILES).map(async ([name, make]) => {
        const path = join(folder, name);
        await make(path);
        return marked(path);
      }),
    );
    const found = told(...paths);
    expect(found.map(one => one['XMP:DigitalSourceType'])).toEqual(
      paths.map(() => sourceTypeAddress('trainedAlgorithmicMedia')),
    );
    const titled = found.filter(({ SourceFile }) => SourceFile.includes('titled'));
    expect(titled.map(one => one['XMP:Format'])).toEqual(['a fox', 'a fox', 'a fox']);
    // Of a packet that came without a wrapper, and of the fragments themselves, exiftool speaks before as after.
    const faults = found.filter(one => one['ExifTool:Validate'] !== 'OK').map(({ SourceFile }) => SourceFile);
    expect(faults.map(path => path.slice(folder.length + 1))).toEqual(['titled.marked.jpg', 'in-fragments.marked.mp4']);
  },
);

test('pictures and sound are the same, and a second mark changes nothing', async () => {
  const folder = await temporaryFolder();
  for (const name of Object.keys(FILES)) {
    const path = join(folder, `same-${name}`);
    await FILES[name]?.(path);
    const copy = await marked(path);
    expect(await ownMarks(copy, { format: formatOf(name) }), name).toEqual({ source_type: 'trainedAlgorithmicMedia' });
    expect(await probe(copy), name).toEqual({ ...(await probe(path)), source_type: 'trainedAlgorithmicMedia' });
    const isFilm = /\.(mp4|mov)$/.test(name);
    const content = (of: string) => (isFilm ? streamDigests(of) : sharp(of).raw().toBuffer());
    expect(await content(copy), name).toEqual(await content(path));
    const again = await markingEdits(copy, { format: formatOf(name) }, { type: 'algorithmicMedia', tool: 'x' });
    expect(again, name).toEqual([]);
  }
});

test('a file of the studio is marked and loses its clean plate in one copy', async () => {
  const folder = await temporaryFolder();
  for (const name of ['plain.png', 'plain.jpg', 'lossy.webp', 'lossy-glass.webp', 'film.mp4']) {
    const path = join(folder, name);
    await FILES[name]?.(path);
    const alone = await readFile(await marked(path));
    if (name === 'film.mp4') {
      await copyFile(FILM, join(folder, 'plate.mp4'));
      await appendPlate(path, join(folder, 'plate.mp4'));
    } else await writeFile(path, withStillPlate(await readFile(path), await readFile(path)));
    const mark = { type: 'trainedAlgorithmicMedia', tool: 'Shotlist 0.1.0' } as const;
    const edits = together(await withoutPlate(path), await markingEdits(path, { format: formatOf(name) }, mark));
    await writeFile(join(folder, `both-${name}`), edited(path, edits));
    expect((await readFile(join(folder, `both-${name}`))).equals(alone), name).toBe(true);
  }
});

test('a file with Content Credentials is left as it came: any change would break their signature', async () => {
  const folder = await temporaryFolder();
  const png = await red().png().toBuffer();
  const jpeg = await red().jpeg().toBuffer();
  const webp = await glass().webp().toBuffer();
  const uint32 = (value: number) => Buffer.from([value >> 24, value >> 16, value >> 8, value]);
  const signed = {
    'signed.png': Buffer.concat([png.subarray(0, 33), uint32(2), Buffer.from('caBXok'), uint32(0), png.subarray(33)]),
    'signed.jpg': Buffer.concat([
      jpeg.subarray(0, 2),
      Buffer.from([0xff, 0xeb, 0, 6]),
      Buffer.from('JPok'),
      jpeg.subarray(2),
    ]),
    'signed.webp': Buffer.concat([webp, Buffer.from('C2PA'), Buffer.from([2, 0, 0, 0]), Buffer.from('ok')]),
    'signed.mp4': Buffer.concat([
      await readFile(FILM),
      ...[uint32(26), Buffer.from('uuid'), Buffer.from('d8fec3d61b0e483c92975828877ec481', 'hex'), Buffer.from('ok')],
    ]),
  };
  signed['signed.webp'].writeUInt32LE(signed['signed.webp'].length - 8, 4);
  for (const [name, bytes] of Object.entries(signed)) {
    const path = join(folder, name);
    await writeFile(path, bytes);
    expect(await ownMarks(path, { format: formatOf(name) }), name).toEqual({ c2pa: true });
    expect(await readFile(await marked(path)), name).toEqual(bytes);
  }
});

test('a damaged file, a file that ends early and another format are left as they are', async () => {
  const folder = await temporaryFolder();
  const png = await red().png().toBuffer();
  const film = await readFile(FILM);
  const broken = {
    'cut.png': png.subarray(0, 20),
    'cut.jpg': (await red().jpeg().toBuffer()).subarray(0, 3),
    'cut.webp': (await red().webp().toBuffer()).subarray(0, 11),
    'cut.mp4': film.subarray(0, 200_000),
    'noise.mov': Buffer.alloc(64, 7),
    'empty.png': Buffer.alloc(0),
    'sound.wav': Buffer.from('RIFF'),
  };
  for (const [name, bytes] of Object.entries(broken)) {
    const path = join(folder, name);
    await writeFile(path, bytes);
    const mark = { type: 'algorithmicMedia', tool: 'x' } as const;
    expect(await markingEdits(path, { format: formatOf(name) }, mark), name).toEqual([]);
  }
});

/** IPTC's vocabulary of digital source types as of 2024-09-17, without terms that are retired: cv.iptc.org/newscodes/digitalsourcetype. */
const VOCABULARY = [
  ...['digitalCapture', 'computationalCapture', 'negativeFilm', 'positiveFilm', 'print', 'humanEdits'],
  ...['algorithmicallyEnhanced', 'digitalCreation', 'dataDrivenMedia', 'virtualRecording', 'screenCapture'],
  ...['compositeWithTrainedAlgorithmicMedia', 'compositeCapture', 'compositeSynthetic', 'composite'],
  ...['trainedAlgorithmicMedia', 'algorithmicMedia'],
];

test('what something is made of names a term of the vocabulary', () => {
  const types = [
    sourceTypeOf(new Set(['model'])),
    sourceTypeOf(new Set(['studio'])),
    sourceTypeOf(new Set(['edited'])),
    sourceTypeOf(new Set(['model', 'own'])),
    sourceTypeOf(new Set(['model', 'studio'])),
    sourceTypeOf(new Set(['own'])),
    sourceTypeOf(new Set()),
  ];
  expect(types).toEqual([
    'trainedAlgorithmicMedia',
    'algorithmicMedia',
    'compositeWithTrainedAlgorithmicMedia',
    'compositeSynthetic',
    'compositeSynthetic',
    undefined,
    undefined,
  ]);
  for (const type of types) if (type) expect(VOCABULARY).toContain(type);
});
