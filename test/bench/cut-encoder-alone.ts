/**
 * The processor time of the encoder alone, on the very frames of a cut: they are all made before, and held. Prints the seconds.
 *
 *     node cut-encoder-alone.ts JOB.json      the job as the process that cuts is given it
 */
import { readFile } from 'node:fs/promises';
import { filmPictures } from '../../src/media/cut/film-pictures.ts';
import { type FilmJob, kitOf, openFilmFile } from '../../src/media/cut/render-film.ts';
import { check, type Frame } from '../../src/media/libav.ts';

const [path = ''] = process.argv.slice(2);
const { cut, paths, out }: FilmJob = JSON.parse(await readFile(path, 'utf8'));
const kit = await kitOf(cut, paths);
const frames: Frame[] = [];
{
  await using pictures = filmPictures(kit, cut);
  for (let n = 0; n < cut.frames; n++) {
    const frame = await pictures.at(n);
    const own = new kit.av.Frame();
    own.alloc();
    own.width = frame.width;
    own.height = frame.height;
    own.format = frame.format;
    check(kit.av, own.getBuffer(), 'making room for a picture');
    check(kit.av, own.copy(frame), 'keeping a picture');
    check(kit.av, own.copyProps(frame), 'keeping a picture');
    frames.push(own);
  }
}

const before = process.cpuUsage();
{
  await using film = await openFilmFile(kit, cut, `${out}.alone.mp4`);
  for (const frame of frames) await film.picture(frame);
  await film.finish();
}
const { user, system } = process.cpuUsage(before);
console.log((user + system) / 1e6);
