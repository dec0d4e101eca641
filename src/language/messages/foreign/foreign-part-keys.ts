/** Keys of other systems inside a part: of a cut, a judge, rounds, retries, a named model, a profile, a budget. */
import { child, type Node } from '../../yaml/syntax-tree.ts';
import { flowText } from './flow-text.ts';
import { durationMeant } from './meant-values.ts';
import { drop, type ForeignKey, read, type Translate } from './translate.ts';
import { all } from './wording.ts';

const WHOLE_JOIN = (value: Node): ForeignKey => ({
  advice: `write \`join: { dissolve: ${durationMeant(flowText(value)) ?? '0.4s'} }\``,
  isWhole: true,
});

export const JOIN: Readonly<Record<string, Translate>> = {
  ...all('type kind name transition', WHOLE_JOIN),
  ...all('duration length for time seconds fade crossfade xfade', read('dissolve')),
};

export const OVER: Readonly<Record<string, Translate>> = {
  ...all('title caption words label', read('text')),
  ...all('image file src source', read('from')),
  ...all('position place align gravity', read('at')),
  ...all('duration length seconds', read('for')),
  ...all('start begin', read('in')),
  ...all('width scale', read('size')),
  ...all('font color colour style font_size', drop('words have one face and one size; take it out')),
};

export const MUSIC: Readonly<Record<string, Translate>> = {
  ...all('file src source audio track', read('from')),
  ...all('volume gain audio_level', read('level')),
  ...all('ducking sidechain', read('duck')),
  ...all('start begin trim_start', read('in')),
  ...all('repeat looped', read('loop')),
};

export const JUDGE: Readonly<Record<string, Translate>> = {
  ...all('question ask instructions text criteria', read('prompt')),
  with: value => {
    const prompt = value.is === 'map' ? child(value, 'prompt') : undefined;
    return {
      advice: `a judge has its prompt beside its model; write \`prompt: ${prompt ? flowText(prompt) : '…'}\``,
      isWhole: true,
    };
  },
};

export const UNTIL: Readonly<Record<string, Translate>> = {
  ...all('condition if when that expression test', read('holds')),
  ...all('attempts rounds times tries max_rounds max_attempts limit', read('max')),
  ...all('else default fallback', read('otherwise')),
};

export const RETRY: Readonly<Record<string, Translate>> = {
  ...all('times count max limit max_attempts retries', read('attempts')),
  ...all('delay wait pause interval sleep', read('backoff')),
  ...all('when if errors', read('on')),
};

export const MODEL: Readonly<Record<string, Translate>> = { ...all('model name label vendor', read('id')) };

export const PROFILE: Readonly<Record<string, Translate>> = {
  with: value => ({ advice: `write \`defaults: { with: ${flowText(value)} }\`` }),
  ...all('extends inherits from base', drop('no profile inherits from another; write out what it changes')),
};

export const BUDGET: Readonly<Record<string, Translate>> = {
  ...all('total money cost max max_usd amount limit eur dollars dollar cents price', read('usd')),
  ...all('seconds duration video', read('video_seconds')),
  ...all('requests calls count', read('generations')),
};

export const CUT: Readonly<Record<string, Translate>> = {
  ...all('videos shots sources inputs files parts timeline', read('clips')),
  ...all('transition transitions crossfade', drop('write `join: { dissolve: 0.4s }`')),
  ...all('audio soundtrack sound', read('music')),
  ...all('captions titles', read('subtitles')),
  ...all('text caption overlay watermark', value => ({
    advice: `write \`over: { text: ${flowText(value)} }\``,
  })),
  ...all('resolution dimensions', read('size')),
  ...all('framerate frame_rate rate', read('fps')),
};

export const CLIP: Readonly<Record<string, Translate>> = {
  ...all('video image source src file clip shot', read('from')),
  ...all('text caption overlay', value => ({
    advice: `write \`over: { text: ${flowText(value)} }\`, or \`title: ${flowText(value)}\` for words alone`,
  })),
  ...all('start begin trim_start ss', read('in')),
  ...all('end stop trim_end', read('out')),
  ...all(
    'duration length seconds',
    drop('a still and a title have `for`, and a video ends at its `out`; write one of them'),
  ),
  ...all('volume gain audio_level', read('level')),
  ...all('transition crossfade', drop('write `join: { dissolve: 0.4s }`')),
  ...all('audio narration voiceover voice_over', read('voice')),
  ...all('rate playback_rate', read('speed')),
};
