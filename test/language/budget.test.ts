import { expect, test } from 'vitest';
import { modelLibrary } from '../../src/api/model-library.ts';
import { compile } from '../../src/language/compile.ts';

const budgetOf = (budget: string) => {
  const text = `shotlist: 1\nname: film\n${budget}\nsteps: { list: { run: [ls] } }\n`;
  return compile({ path: 'film.yaml', text }, modelLibrary).pipeline?.budget?.limits;
};

test('a budget is what the film may come to, each number by itself', () => {
  expect(budgetOf('budget: { usd: 25, video_seconds: 240.5, images: 40, generations: 100, tokens: 200000 }')).toEqual({
    ...{ usd: 25, video_seconds: 240.5, images: 40, generations: 100, tokens: 200_000 },
  });
  expect(budgetOf('budget: { usd: 0, unpriced: allow }')).toEqual({ usd: 0, unpriced: 'allow' });
  expect(budgetOf('')).toBeUndefined();
});

test('a wrong number is no budget, and no film', () => {
  for (const usd of ['-1', '.nan', '.inf', '"25"', '[25]', '~'])
    expect(budgetOf(`budget: { usd: ${usd} }`)).toBeUndefined();
});
