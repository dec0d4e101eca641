/** A `cut` step: clips in order, and what holds for the film as a whole. What it gives is a video. */
import type { CutClip, MapValue, Value } from '../../model/pipeline.ts';
import { refuseSecrets } from '../checks/secret-uses.ts';
import { checkMedia, checkOptions, valueIn } from '../cut/check-option.ts';
import { FILM, MUSIC, SUBTITLES } from '../cut/clip-options.ts';
import { checkJoin, checkOverlays, checkSubtitleSource, readClip } from '../cut/read-clip.ts';
import { messages } from '../messages/index.ts';
import { mediaResult } from '../types/types.ts';
import { readMap } from '../types/values.ts';
import type { FileContext } from '../yaml/file-context.ts';
import { child, type MapNode } from '../yaml/syntax-tree.ts';
import type { Body, BodyContext, Kind } from './kind.ts';

export const cut: Kind<'cut'> = {
  key: 'cut',
  keys: [],
  does: 'one film made of clips',
  called: 'a cut',
  insteadOf: { with: 'its options stand under `cut`', files: 'name the media in its clips' },
  readSignature: (step, file) => ({
    result: { type: mediaResult('video'), produces: 'video', forms: ['otio'] },
    readBody: context => readBody(step, file, context),
  }),
};

function readBody(step: MapNode, file: FileContext, context: BodyContext): Body<'cut'> | undefined {
  const section = child(step, cut.key);
  const clipNodes = section?.is === 'map' ? child(section, 'clips') : undefined;
  if (section?.is !== 'map' || file.wrong.has(section) || clipNodes?.is !== 'list') return undefined;
  const entries = section.entries.filter(({ name, value }) => name !== 'clips' && !file.wrong.has(value));
  const film = readMap({ ...section, entries }, { ...context, bare: 'told' }, section.at);
  const clips = clipNodes.items.flatMap((node, index) => readClip(node, index + 1, file, context) ?? []);
  checkFilm(film, clips, context);
  const values: readonly Value[] = [...clips.flatMap(({ follows, fields }) => [...follows, fields]), film];
  refuseSecrets(values, 'a film', context.findings);
  return { step: { kind: 'cut', clips, film }, values };
}

function checkFilm(film: MapValue, clips: readonly CutClip[], context: BodyContext): void {
  checkOptions(film, FILM, name => `\`${name}\``, context);
  const [join, music, over, subtitles] = ['join', 'music', 'over', 'subtitles'].map(name => valueIn(film, name));
  if (join) checkJoin(join, '`join`', context);
  if (over) checkOverlays(over, '`over`', context);
  if (music) checkMusic(music, context);
  if (subtitles?.is === 'map') checkSubtitles(subtitles, clips, context);
  else if (subtitles) checkSubtitleSource(subtitles, '`subtitles`', context);
}

function checkMusic(music: Value, context: BodyContext): void {
  const from = music.is === 'map' ? valueIn(music, 'from') : music;
  if (from) checkMedia(from, 'sound', { called: '`music`' }, context);
  if (music.is === 'map') checkOptions(music, MUSIC, name => `\`${name}\` of the music`, context);
}

function checkSubtitles(subtitles: MapValue, clips: readonly CutClip[], context: BodyContext): void {
  checkOptions(subtitles, SUBTITLES, name => `\`${name}\` of the subtitles`, context);
  const from = valueIn(subtitles, 'from');
  if (from) checkSubtitleSource(from, '`from` of the subtitles', context);
  else if (!clips.some(({ fields }) => valueIn(fields, 'subtitles')))
    context.findings.add(messages.subtitleNothing(), subtitles.at);
}
