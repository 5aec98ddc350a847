"""Finite fields: addition and multiplication tables over q elements, q a power of a prime.

The elements are the numbers from 0 to q - 1; the digits of a number in the base p are the
coefficients of a polynomial, the lowest first.
"""

from dataclasses import dataclass
from functools import cache
from itertools import product


@dataclass(frozen=True)
class FiniteField:
    """The tables of a field: ``sums[a][b]`` and ``products[a][b]``."""

    order: int
    sums: tuple[tuple[int, ...], ...]
    products: tuple[tuple[int, ...], ...]

    def list_powers(self) -> list[int]:
        """Return the powers 1, g, g², … of a generator of the multiplicative group."""
        for generator in range(1, self.order):
            powers = [1]
            while (power := self.products[powers[-1]][generator]) != 1:
                powers.append(power)
            if len(powers) == self.order - 1:
                return powers
        raise AssertionError("the multiplicative group of a finite field is cyclic")

    def negate(self, element: int) -> int:
        """Return the element that added to this one is 0."""
        return self.sums[element].index(0)


def factor_prime_power(number: int) -> tuple[int, int] | None:
    """Return the prime and the exponent of a power of a prime; None for any other number.

    >>> [factor_prime_power(number) for number in (1, 6, 7, 8, 9)]
    [None, None, (7, 1), (2, 3), (3, 2)]
    """
    for prime in range(2, number + 1):
        if number % prime == 0:
            exponent, rest = 0, number
            while rest % prime == 0:
                exponent, rest = exponent + 1, rest // prime
            return (prime, exponent) if rest == 1 else None
    return None


@cache
def get_field(order: int) -> FiniteField | None:
    """Return the field with this number of elements; None if the number is no prime power."""
    factors = factor_prime_power(order)
    if factors is None:
        return None
    prime, degree = factors
    digits = [_digits(element, prime, degree) for element in range(order)]
    sums = tuple(
        tuple(_number([(x + y) % prime for x, y in zip(a, b, strict=True)], prime) for b in digits)
        for a in digits
    )
    modulus = _find_irreducible(prime, degree)
    products = tuple(
        tuple(_number(_multiply(a, b, modulus, prime), prime) for b in digits) for a in digits
    )
    return FiniteField(order, sums, products)


def _digits(element: int, prime: int, degree: int) -> list[int]:
    """Return the coefficients of an element, the lowest first."""
    return [element // prime**place % prime for place in range(degree)]


def _number(coefficients: list[int], prime: int) -> int:
    """Return the element with these coefficients."""
    return sum(digit * prime**place for place, digit in enumerate(coefficients))


def _multiply(a: list[int], b: list[int], modulus: list[int], prime: int) -> list[int]:
    """Return the product of two polynomials modulo a monic one of their number of coefficients."""
    degree = len(a)
    result = [0] * (2 * degree - 1)
    for (place, digit), (other_place, other) in product(enumerate(a), enumerate(b)):
        result[place + other_place] += digit * other
    return _reduce(result, modulus, prime)[:degree]


def _reduce(polynomial: list[int], modulus: list[int], prime: int) -> list[int]:
    """Return the remainder of a polynomial divided by a monic one, as long as the polynomial."""
    rest, degree = [digit % prime for digit in polynomial], len(modulus) - 1
    for top in range(len(rest) - 1, degree - 1, -1):
        factor = rest[top]
        for place, digit in enumerate(modulus):
            at = top - degree + place
            rest[at] = (rest[at] - factor * digit) % prime
    return rest


def _find_irreducible(prime: int, degree: int) -> list[int]:
    """Return a monic polynomial of this degree that no polynomial of lower degree divides."""
    for low in product(range(prime), repeat=degree):
        candidate = [*low, 1]
        divisors = (
            [*rest, 1] for size in range(1, degree // 2 + 1)
            for rest in product(range(prime), repeat=size)
        )  # fmt: skip
        if all(any(_reduce(candidate, divisor, prime)) for divisor in divisors):
            return candidate
    raise AssertionError("there is an irreducible polynomial of every degree")
