/**
 * `prompt_extend` and `prompt_expansion_mode`: a prompt gets the light, the air and the camera that it leaves open; for
 * `quality` also the mood and the lens, and a long prompt too. Says what it added.
 */
import { Random } from '../../random.ts';
import { CAMERAS, first, MOODS, placeIn, SIZES, TIMES, WEATHERS } from '../../vocabulary.ts';

interface ExpandedPrompt {
  readonly prompt: string;
  /** What was added; empty where the prompt already says it all. */
  readonly added: string;
}

/** A prompt longer than this, or with timestamps, is the author's own shot list and stays as it is. */
const SHORT = 120;

export type Expansion = 'balanced' | 'quality';

export function expandPrompt(prompt: string, seed: string, mode: Expansion = 'balanced'): ExpandedPrompt {
  if ((mode === 'balanced' && prompt.length > SHORT) || /\d\s*(?:s|秒)\s*[\])】）]|\d:\d\d/.test(prompt))
    return { prompt, added: '' };
  const random = new Random(`extend|${seed}`);
  const indoors = ['interior', 'club', 'space', 'orbit', 'underwater', 'abstract'].includes(placeIn(prompt) ?? '');
  const chinese = /[\u4e00-\u9fff]/.test(prompt);
  const light = chinese
    ? random.pick(['黄金时刻', '清晨', '黄昏'])
    : random.pick(['golden hour', 'first light of dawn', 'soft dusk light']);
  const air = chinese ? random.pick(['薄雾', '飘尘']) : random.pick(['thin mist', 'dust in the air']);
  const camera = chinese ? '镜头缓慢推进' : 'slow push in';
  const parts = [
    first(TIMES, prompt) === undefined ? light : '',
    first(WEATHERS, prompt) === undefined && !indoors ? air : '',
    first(CAMERAS, prompt) === undefined ? camera : '',
    ...(mode === 'quality' ? finer(prompt, chinese, random) : []),
  ].filter(part => part !== '');
  const added = parts.join(chinese ? '，' : ', ');
  return { prompt: added === '' ? prompt : `${prompt}${chinese ? '，' : ', '}${added}`, added };
}

function finer(prompt: string, chinese: boolean, random: Random): string[] {
  const size = chinese ? '中景' : 'medium shot';
  const mood = chinese ? random.pick(['史诗', '梦幻']) : random.pick(['epic', 'dreamy', 'serene']);
  return [first(SIZES, prompt) === undefined ? size : '', first(MOODS, prompt) === undefined ? mood : ''];
}
