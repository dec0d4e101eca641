import { expect, test } from 'vitest';
import { Instances } from '../../src/model/plan.ts';
import type { InstanceKey, StepName } from '../../src/model/run/key.ts';

const step = (name: string) => name as StepName;
const one = (key: string) => ({ key: key as InstanceKey });

const film = () =>
  new Instances([
    [step('script'), [one('script')]],
    [step('shot'), null],
    [step('cut'), [one('cut')]],
  ]);

test('an open step has its place in the order, and no instance', () => {
  const instances = film();
  expect([...instances]).toEqual([one('script'), one('cut')]);
  expect([...instances.steps]).toEqual(['script', 'shot', 'cut']);
  expect(instances.size).toBe(2);
  expect(instances.of(step('shot'))).toEqual([]);
  expect(['script', 'shot', 'cut', 'nobody'].map(name => instances.isOpen(step(name)))).toEqual([
    false,
    true,
    false,
    false,
  ]);
});

test('what is added stands where its step stands', () => {
  const instances = film();
  const shots = [one('shot[n=1]'), one('shot[n=2]')];
  instances.add(step('shot'), shots);
  expect([...instances].map(({ key }) => key)).toEqual(['script', 'shot[n=1]', 'shot[n=2]', 'cut']);
  expect(instances.of(step('shot'))).toBe(shots);
  expect(instances.get(shots[1]!.key)).toBe(shots[1]);
  expect(instances.has(shots[1]!.key)).toBe(true);
  expect([instances.size, instances.isOpen(step('shot'))]).toEqual([4, false]);
});

test('a step is added once, an instance is there once, and only a step of the film is added', () => {
  const instances = film();
  instances.add(step('shot'), []);
  expect(instances.isOpen(step('shot'))).toBe(false);
  expect(() => instances.add(step('shot'), [])).toThrow('the instances of shot are known already');
  expect(() => instances.add(step('nobody'), [])).toThrow('it is no step of this film');
  expect(() => film().add(step('shot'), [one('shot[n=1]'), one('shot[n=1]')])).toThrow(
    'two instances called shot[n=1]',
  );
  expect(() => film().add(step('shot'), [one('cut')])).toThrow('two instances called cut');
});
