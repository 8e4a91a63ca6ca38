'use client'
/** Thrown out of a line whose time is over. */
export const late: unique symbol = Symbol('late')
