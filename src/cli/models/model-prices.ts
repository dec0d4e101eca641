/** The document's Pricing object in words. */
import type { Pricing } from '../../api/catalog.ts';
import type { ChatFacts } from '../../model/model.ts';
import { formatUsd } from '../../model/text/format.ts';

/** For a list: `$0.05 to $0.14 a second`. */
export function priceRange(pricing: Pricing): string {
  if (pricing.method === 'token') {
    const { input_cost_per_token: input, output_cost_per_token: output } = pricing;
    return input == null || output == null ? UNKNOWN : `${million(input)} in, ${million(output)} out`;
  }
  const rates = ratesOf(pricing);
  if (rates.length === 0) return UNKNOWN;
  const [least, most] = [Math.min(...rates), Math.max(...rates)];
  return `${least === most ? formatUsd(least) : `${formatUsd(least)} to ${formatUsd(most)}`} ${UNITS[pricing.method]}`;
}

/** For one model: everything that is known, one line each. */
export function priceLines(pricing: Pricing, chat: ChatFacts | undefined): readonly string[] {
  if (pricing.method === 'token') return tokenLines(pricing, chat?.priceStep);
  const unit = UNITS[pricing.method];
  const tiers = Object.entries(pricing.cost_per_second_by_resolution ?? {});
  const grid = Object.entries(pricing.cost_per_image_grid ?? {});
  const at = (rates: readonly (readonly [name: string, rate: number])[]) =>
    rates.map(([name, rate]) => `${formatUsd(rate)} at ${name}`).join(', ');
  const say = (rate: number | null | undefined, of: string) =>
    rate == null ? [] : [`${formatUsd(rate)} ${unit}${of}`];
  const lines = [
    ...(pricing.method === 'per_image' ? say(pricing.cost_per_image, '') : say(pricing.cost_per_second, '')),
    ...say(pricing.cost_per_second_high_res, ' in high resolution'),
    ...say(pricing.cost_per_second_with_audio, ' with sound'),
    ...(tiers.length > 0 ? [at(tiers)] : []),
    ...grid.map(([quality, row]) => `in ${quality} quality ${at(Object.entries(row))}`),
  ];
  return lines.length === 0 ? [UNKNOWN] : lines;
}

const UNKNOWN = 'not known';
const UNITS = { per_image: 'an image', per_video_output_second: 'a second', time: 'a second of use' } as const;

function ratesOf(pricing: Pricing): readonly number[] {
  if (pricing.method === 'per_image') {
    const rates = Object.values(pricing.cost_per_image_grid ?? {}).flatMap(row => Object.values(row));
    return [...rates, pricing.cost_per_image].filter(rate => rate != null);
  }
  const { cost_per_second_high_res: high, cost_per_second_with_audio: sound } = pricing;
  const tiers = Object.values(pricing.cost_per_second_by_resolution ?? {});
  // The general rate only holds for what the table leaves out.
  const general = tiers.length > 0 ? [] : [pricing.cost_per_second];
  return [...tiers, ...general, high, sound].filter(rate => rate != null);
}

function tokenLines(pricing: Pricing, step: ChatFacts['priceStep']): readonly string[] {
  return [
    `${priceRange(pricing)}, for a million tokens`,
    ...(step
      ? [
          `above ${count(step.aboveInputTokens)} input tokens ${step.inputFactor}× in and ${step.outputFactor}× out, for the whole session`,
        ]
      : []),
  ];
}

const million = (perToken: number): string => formatUsd(Math.round(perToken * 1e12) / 1e6);
export const count = (tokens: number): string => tokens.toLocaleString('en-US');
