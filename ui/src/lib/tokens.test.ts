import { expect, test } from 'vitest'
import type { Measure } from '@/api/types'
import { sum } from './tokens'

const of = (value: number, quality: Measure['quality']): Measure => ({ value, quality })

test('a sum is exact if all of it is, and at least a bound else', () => {
  expect(sum(of(3, 'exact'), of(4, 'exact'))).toEqual(of(7, 'exact'))
  expect(sum(of(3, 'exact'), of(0, 'unknown'))).toEqual(of(3, 'partial'))
  expect(sum(of(0, 'unknown'), of(0, 'unknown'))).toEqual(of(0, 'unknown'))
})

test('at least nothing is unknown', () => {
  expect(sum(of(0, 'exact'), of(0, 'unknown'))).toEqual(of(0, 'unknown'))
})
