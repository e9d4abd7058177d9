/** From a block's coefficients to samples in its component's plane, at the component's scale. */
import { idct8, idct8Flat, idct8Sparse } from './idct';
import { low1, low2, low3, low4, low5 } from './idct_low';
import { low6 } from './idct_low6';
import { idct2, idct4 } from './idct_reduced';
import { Component } from './state';

/** In zigzag order, the first ten coefficients lie in rows and columns 0 to 3. */
const SPARSE: i32 = 10;

/**
 * Transforms one block.
 * @param count how many coefficients, in zigzag order, may be non-zero: 1 to 64
 * @param to the block's first sample
 * @param keepsLow see Decoder
 */
export function transformBlock(
  component: Component,
  block: usize,
  count: i32,
  to: usize,
  keepsLow: bool,
): void {
  const stride = <usize>component.planeStride;
  const quant = component.quant;
  if (component.size === 8) {
    if (count === 1) idct8Flat(load<i16>(block), quant, to, stride);
    else if (count <= SPARSE) idct8Sparse(block, quant, to, stride);
    else idct8(block, quant, to, stride);
  } else if (component.size === 1) {
    low1(block, quant, to);
  } else if (keepsLow) {
    if (component.size === 6) low6(block, quant, to, stride);
    else if (component.size === 5) low5(block, quant, to, stride);
    else if (component.size === 4) low4(block, quant, to, stride);
    else if (component.size === 3) low3(block, quant, to, stride);
    else low2(block, quant, to, stride);
  } else if (component.size === 4) {
    idct4(block, quant, to, stride);
  } else {
    idct2(block, quant, to, stride);
  }
}

/** Zeroes the first `count` coefficients in zigzag order. */
// @inline
export function clearBlock(block: usize, count: i32): void {
  const zero = i64x2.splat(0);
  v128.store(block, zero);
  if (count === 1) return;
  v128.store(block, zero, 16);
  v128.store(block, zero, 32);
  v128.store(block, zero, 48);
  if (count <= SPARSE) return;
  v128.store(block, zero, 64);
  v128.store(block, zero, 80);
  v128.store(block, zero, 96);
  v128.store(block, zero, 112);
}
