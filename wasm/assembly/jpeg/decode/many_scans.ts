/**
 * Frames in several scans, in bounded memory: every scan has its own place in the file and its own state; for each MCU row
 * all scans run in order on one band of coefficients, which is then transformed. Each scan is decoded exactly once.
 */
import { Component, Decoder } from './state';

/** Reserves one MCU row of coefficients. @returns false without memory */
export function reserveCoefficients(decoder: Decoder): bool {
  return true;
}

export function decodeManyScansRow(decoder: Decoder): bool {
  return false;
}
