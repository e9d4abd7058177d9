import { expect, it } from 'vitest';
import { modelProblems } from '../../src/detectors/model_file.ts';
import { mapNetwork } from '../fixtures/onnx_networks.ts';
import { type Node, onnxFile } from '../fixtures/onnx_writer.ts';
import { fieldBytes, fieldNumber, joined } from '../fixtures/protobuf_writer.ts';
import { seededBelow } from '../fixtures/random.ts';

const network = mapNetwork({ channels: [1, 0, 0], bias: 0 }, 4);
const graphOf = (...nodes: Node[]) => onnxFile({ nodes, inputs: { a: [1] }, outputs: { b: [1] } });

it('finds nothing wrong with a network', () => {
  expect(modelProblems(network)).toEqual([]);
});

it('refuses what is no model, and every part of one that has no whole graph', () => {
  expect(modelProblems(new Uint8Array())).toHaveLength(1);
  expect(modelProblems(new TextEncoder().encode('<!doctype html><title>404</title>'))).toHaveLength(1);
  const graphEnds = network.length - 8;
  for (let length = 1; length < graphEnds; length += 7) {
    expect(modelProblems(network.subarray(0, length)), `${length} bytes`).toHaveLength(1);
  }
});

it('survives any change of bytes', () => {
  const below = seededBelow(38);
  for (let run = 0; run < 500; run++) {
    const changed = network.slice();
    for (let change = 0; change < 3; change++) changed[below(changed.length)] = below(256);
    expect(Array.isArray(modelProblems(changed))).toBe(true);
  }
});

it('refuses loops, operators of others, weights elsewhere and lengths that are a claim', () => {
  const plain = { inputs: ['a'], outputs: ['b'] };
  expect(modelProblems(graphOf({ operator: 'Loop', ...plain }))[0]).toMatch(/loops.*Loop/);
  expect(modelProblems(graphOf({ operator: 'Evil', ...plain, domain: 'mine' }))[0]).toMatch(/domain/);
  const external = joined(fieldNumber(14, 1));
  expect(
    modelProblems(fieldBytes(7, joined(fieldBytes(5, external), fieldBytes(1, new Uint8Array())))),
  ).toContainEqual(expect.stringMatching(/another/));
  const claim = Uint8Array.from([7 * 8 + 2, 0xff, 0xff, 0xff, 0xff, 7, 1]);
  expect(modelProblems(claim)).toHaveLength(1);
});

it('finds loops within branches, functions and further graphs, which runtimes read, too', () => {
  const text = (value: string) => new TextEncoder().encode(value);
  const operator = (name: string, ...more: Uint8Array[]) => joined(fieldBytes(4, text(name)), ...more);
  const loop = operator('Loop');
  const relu = fieldBytes(7, fieldBytes(1, operator('Relu')));
  const within = (field: number, node: Uint8Array) =>
    operator('If', fieldBytes(5, fieldBytes(field, fieldBytes(1, node))));
  const branch = within(6, loop);
  for (const node of [branch, within(11, loop), within(6, branch)])
    expect(modelProblems(fieldBytes(7, fieldBytes(1, node)))[0]).toMatch(/loops.*Loop/);
  expect(modelProblems(joined(relu, fieldBytes(25, fieldBytes(7, loop))))[0]).toMatch(/loops/);
  expect(modelProblems(joined(relu, fieldBytes(7, fieldBytes(1, loop))))[0]).toMatch(/loops/);
  expect(modelProblems(relu)).toEqual([]);
  let deep = operator('Relu');
  for (let level = 0; level < 9; level++) deep = within(6, deep);
  expect(modelProblems(fieldBytes(7, fieldBytes(1, deep)))[0]).toMatch(/at most 8 deep/);
});

it('refuses more nodes than any detector has', () => {
  const nodes = fieldBytes(1, fieldBytes(4, new TextEncoder().encode('Relu')));
  const graph = new Uint8Array(nodes.length * 20_001);
  for (let at = 0; at < graph.length; at += nodes.length) graph.set(nodes, at);
  expect(modelProblems(fieldBytes(7, graph))[0]).toMatch(/20000 nodes/);
});
